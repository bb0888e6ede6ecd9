/** Fish reads this after the user's configuration. */
export const FISH_SCRIPT = String.raw`# Written by moorage for its terminals. Changes are overwritten.
set -g __moorage_nonce $MOORAGE_SHELL_NONCE
set -e MOORAGE_SHELL_NONCE

function __moorage_escaped
    string join \n -- $argv | string collect | string replace -a '\\' '\\\\' | string replace -a \n '\\x0a' | string replace -a \t '\\x09' | string replace -ar '[[:cntrl:]]' '?' | string join '\\x0a'
end

function __moorage_preexec --on-event fish_preexec
    printf '\e]633;C;%s;%s\a' $__moorage_nonce (__moorage_escaped $argv | string collect)
end

function __moorage_postexec --on-event fish_postexec
    printf '\e]633;D;%s;%s\a' $__moorage_nonce $status
end

function __moorage_prompt --on-event fish_prompt
    printf '\e]633;P;%s;Cwd=%s\a' $__moorage_nonce (__moorage_escaped $PWD | string collect)
end
`;

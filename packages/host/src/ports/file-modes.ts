/** What a file is, as `FileVersion.mode` says it: the words of git. */
export const REGULAR = '100644';
export const EXECUTABLE = '100755';
export const SYMLINK = '120000';
/** A repository inside the folder: its content is a commit of that repository. */
export const SUBMODULE = '160000';

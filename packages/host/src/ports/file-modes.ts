/** The values of `FileVersion.mode`, as git writes them. */
export const REGULAR = '100644';
export const EXECUTABLE = '100755';
export const SYMLINK = '120000';
/** A repository inside the folder; its content id is a commit of that repository. */
export const SUBMODULE = '160000';

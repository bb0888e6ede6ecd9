import { statfs } from 'node:fs/promises';

/**
 * Whether the system reports every change in a folder. It does on local disks. It knows nothing of what others do to a
 * network folder, or the other side to a shared one, so those are always scanned.
 */
export async function reportsEveryChange(folder: string): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  return statfs(folder).then(
    ({ type }) => LOCAL_DISKS.has(type),
    () => false,
  );
}

/** File system types, as `statfs` numbers them. */
const LOCAL_DISKS = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // xfs
  0x9123683e, // btrfs
  0x01021994, // tmpfs
  0x794c7630, // overlayfs, as in containers
  0x2fc12fc1, // zfs
  0xf2f52010, // f2fs
  0xca451a4e, // bcachefs
]);

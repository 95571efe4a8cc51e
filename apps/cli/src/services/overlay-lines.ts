import type { Overlay } from '@gatehouse/workloads/ignore/overlays';
import { printable } from '../terminal/output.ts';

/** Returns one line for each path that an ignore file hides. */
export function formatOverlays(overlays: readonly Overlay[]): string[] {
  if (overlays.length === 0) return ['Hidden: nothing, because no ignore file names a path of the mounts'];
  return overlays.map(({ path, kind, rule, file, line }) => {
    const origin = line === 0 ? `the ignore file ${file}` : `${rule}, ${file} line ${line}`;
    return printable(`Hidden: ${path}${kind === 'folder' ? '/' : ''} (${origin})`);
  });
}

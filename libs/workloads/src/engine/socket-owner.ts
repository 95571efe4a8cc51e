import { statSync } from 'node:fs';

/**
 * Whether an engine at this address belongs to another user than root. Such an engine is rootless
 * or in a virtual machine, so that its networks are not those of this machine, also where they have
 * the same addresses.
 */
export function isUserEngine(address: string): boolean {
  if (!address.startsWith('unix://')) return false;
  const socket = statSync(address.slice('unix://'.length), { throwIfNoEntry: false });
  return socket !== undefined && socket.uid !== 0;
}

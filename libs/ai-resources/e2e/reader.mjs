// Usage: node reader.mjs FOLDER
// Follows the policies of a folder and prints its problems as JSON lines, until it is killed.
import { FileResourceStore } from '@gatehouse/ai-resources/file-resource-store';
import { ResourceFolder } from '@gatehouse/ai-resources/resource-folder';
import { writeSync } from 'node:fs';

const store = new FileResourceStore(new ResourceFolder({ path: process.argv[2], namespace: 'gatehouse' }), 'AIPolicy');
const observer = {
  onReplaced: () => undefined,
  onChanged: () => undefined,
  onDeleted: () => undefined,
  onState: ({ problems }) => writeSync(1, `${JSON.stringify({ problems })}\n`),
};
setInterval(() => undefined, 60_000);
await store.watch(observer, AbortSignal.any([]));

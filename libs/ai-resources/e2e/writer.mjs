// Usage: node writer.mjs FOLDER ID COUNT
// Writes resources until it is killed, or COUNT times: creates, patches and deletes those whose
// names begin with its ID, and increments the label `count` of the resource `shared`. It prints one
// JSON line before each write and one after it.
import { FileResourceStore } from '@gatehouse/ai-resources/file-resource-store';
import { ResourceFolder } from '@gatehouse/ai-resources/resource-folder';
import { writeSync } from 'node:fs';

const NAMES = 4;
const [path, id, count] = process.argv.slice(2);
const folder = new ResourceFolder({ path, namespace: 'gatehouse' });
const store = new FileResourceStore(folder, 'AIPolicy');
const say = (line) => writeSync(1, `${JSON.stringify(line)}\n`);
const createSpec = (description) => ({
  gatewayRef: { name: 'local' },
  description,
  principalMatchers: [{ claims: { groups: 'developers' } }],
});

/** Performs a write, and prints it before and after. */
async function write(line, perform) {
  say({ ...line, phase: 'begun' });
  try {
    const resource = await perform();
    say({ ...line, phase: 'done', version: resource?.metadata.resourceVersion });
  } catch (error) {
    if (error.code === undefined) throw error;
    say({ ...line, phase: 'refused', code: error.code, message: error.message });
  }
}

async function writeOwn(at) {
  const name = `${id}-${Math.floor(Math.random() * NAMES)}`;
  const description = `${process.pid} ${at}`;
  const current = await store.get(name);
  if (current === undefined)
    await write({ type: 'create', name, description }, () =>
      store.create({ metadata: { name }, spec: createSpec(description) }),
    );
  else if (Math.random() < 0.2) await write({ type: 'delete', name }, () => store.delete(name, current.metadata));
  else
    await write({ type: 'patch', name, description }, () =>
      store.patch(name, { spec: { description } }, current.metadata),
    );
}

async function incrementShared() {
  const { metadata } = await store.get('shared');
  const value = Number(metadata.labels?.count ?? 0) + 1;
  await write({ type: 'increment', name: 'shared', value }, () =>
    store.patch('shared', { metadata: { labels: { count: String(value) } } }, metadata),
  );
}

for (let at = 0; at < Number(count); at += 1) {
  await writeOwn(at);
  await incrementShared();
}
await folder.close();

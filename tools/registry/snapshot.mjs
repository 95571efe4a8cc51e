// Usage: node tools/registry/snapshot.mjs check|renew [--image SCHEME=IMAGE] [NAME…]
// Runs the servers of the embedded registry and compares or records their answers (README.md).
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { hasWord, installPackage } from './install.mjs';
import { tryServer } from './trial.mjs';

const here = (file) => fileURLToPath(new URL(file, import.meta.url));
const SNAPSHOT = here('../../libs/mcp-registry/snapshot/registry.json');
const trials = JSON.parse(readFileSync(here('trials.json'), 'utf8'));

const { values, positionals } = parseArgs({
  options: { image: { type: 'string', multiple: true, default: [] } },
  allowPositionals: true,
});
const [mode, ...names] = positionals;
if (mode !== 'check' && mode !== 'renew') {
  console.error('Usage: node tools/registry/snapshot.mjs check|renew [--image SCHEME=IMAGE] [NAME…]');
  process.exit(2);
}
const images = Object.fromEntries(values.image.map((text) => text.split(/=(.*)/s)));

const getExtension = ({ _meta: meta }, { identifier }) =>
  meta['io.modelcontextprotocol.registry/publisher-provided']['io.github.stacklok'][identifier];

/** Variables and hosts of the entry that no file of the package has. */
function findUnproved({ environmentVariables = [] }, { permissions }, files) {
  const hosts = permissions?.network?.outbound?.allow_host ?? [];
  const words = [...environmentVariables.map(({ name }) => name), ...hosts.map((host) => host.replace(/^\./, ''))];
  return words.filter((word) => !hasWord(files, word));
}

/** The entry in the version that is tried. */
function createTrialEntry(entry, version) {
  const {
    packages: [declared],
    ...rest
  } = entry;
  return { ...rest, version, packages: [{ ...declared, version }] };
}

async function examine(entry) {
  const [declared] = entry.packages;
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-registry-'));
  try {
    const { version, files } = installPackage(declared, mode === 'check' ? declared.version : undefined, folder);
    const unproved = findUnproved(declared, getExtension(entry, declared), files);
    if (unproved.length > 0) throw new Error(`the package does not contain ${unproved.join(', ')}`);
    const trial = trials[entry.name] ?? {};
    const required = (declared.environmentVariables ?? []).filter(({ isRequired }) => isRequired);
    const environment = { ...Object.fromEntries(required.map(({ name }) => [name, 'invented'])), ...trial.environment };
    const args = trial.arguments ?? [];
    return { version, ...(await tryServer(createTrialEntry(entry, version), { environment, args, images })) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const document = JSON.parse(readFileSync(SNAPSHOT, 'utf8'));
let hasChanged = false;
for (const entry of document.data.servers) {
  if (names.length > 0 && !names.some((name) => entry.name === name || entry.name.endsWith(`/${name}`))) continue;
  try {
    const { version, server, tools } = await examine(entry);
    const [declared] = entry.packages;
    const extension = getExtension(entry, declared);
    const isSame = version === declared.version && JSON.stringify(tools) === JSON.stringify(extension.tools);
    console.log(`${isSame ? 'same' : 'differs'}  ${entry.name} ${version}, ${tools.length} tools`);
    if (isSame) continue;
    if (mode === 'check') process.exitCode = 1;
    hasChanged = true;
    entry.version = declared.version = version;
    extension.tools = tools;
    extension.custom_metadata = { initialized_as: server, initialized_at: new Date().toISOString().slice(0, 10) };
  } catch (error) {
    console.log(`failed   ${entry.name}: ${error.message}`);
    process.exitCode = 1;
  }
}
if (mode === 'renew' && hasChanged) {
  document.meta.last_updated = new Date().toISOString();
  writeFileSync(SNAPSHOT, `${JSON.stringify(document, null, 2)}\n`);
}

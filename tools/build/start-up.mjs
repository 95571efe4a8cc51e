import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

/**
 * Node modules of which an import creates a facade that reads every export. Some exports load other
 * parts of Node when they are read: the WebSocket of node:http loads Node's whole fetch, which
 * takes more time than all of Node's own start.
 */
const COSTLY = new Set(['node:http', 'node:fs']);

const PREFIX = '\0without-facade:';

/** Reads only the used exports of costly modules of Node. */
export const avoidFacades = {
  name: 'avoid-facades',
  resolveId(source, importer, { kind }) {
    const isImport = kind === 'import-statement' || kind === 'dynamic-import';
    return isImport && COSTLY.has(source) && !importer?.startsWith(PREFIX) ? PREFIX + source : null;
  },
  async load(id) {
    if (!id.startsWith(PREFIX)) return null;
    const name = id.slice(PREFIX.length);
    const names = Object.keys(process.getBuiltinModule(name)).filter((one) => /^[A-Za-z]\w*$/.test(one));
    const lines = names.map((one) => `export const ${one} = /* @__PURE__ */ (() => builtin.${one})();`);
    return [`const builtin = process.getBuiltinModule('${name}');`, 'export default builtin;', ...lines].join('\n');
  },
};

const UNDICI = resolve('node_modules/undici');
/** The parts of undici that starts use, by the name of their export. Others load all parts. */
const UNDICI_PARTS = { Agent: 'dispatcher/agent', Pool: 'dispatcher/pool', buildConnector: 'core/connect' };
const WHOLE_UNDICI = '\0whole-undici';
const HTTP2 = "const connectH2 = require('./client-h2.js')";

/**
 * Loads the parts of undici when they are used. Its main module loads all of them, such as a mock
 * of servers and the store of a cache. Its client loads HTTP/2 and TLS of Node, also for servers
 * that have neither.
 */
export const loadUndiciLazily = {
  name: 'load-undici-lazily',
  resolveId: (source) => (source === WHOLE_UNDICI ? source : null),
  load(id) {
    if (id === join(UNDICI, 'lib/dispatcher/client.js')) return deferHttp2(readFileSync(id, 'utf8'));
    if (id === join(UNDICI, 'index.js')) return createLazyUndici();
    return id === WHOLE_UNDICI ? readWholeUndici() : null;
  },
};

/** @throws {Error} for another version of undici, whose client has another form */
function deferHttp2(code) {
  if (!code.includes(HTTP2)) throw new Error(`undici has no longer the line: ${HTTP2}`);
  return code.replace(HTTP2, "const connectH2 = (...args) => require('./client-h2.js')(...args)");
}

/** Returns the main module of undici for another place. */
const readWholeUndici = () =>
  readFileSync(join(UNDICI, 'index.js'), 'utf8').replaceAll(
    /require\('(\.[^']+)'\)/g,
    (_, path) => `require('${join(UNDICI, path)}')`,
  );

function createLazyUndici() {
  const find = (part) => `require('${join(UNDICI, 'lib', part)}.js')`;
  const load = (name) =>
    Object.hasOwn(UNDICI_PARTS, name) ? find(UNDICI_PARTS[name]) : `require('${WHOLE_UNDICI}').${name}`;
  const names = Object.keys(createRequire(import.meta.url)(UNDICI));
  // The main module adds the calls of a dispatcher to its prototype.
  const calls = `Object.assign(${find('dispatcher/dispatcher')}.prototype, ${find('api/index')});`;
  return `${calls}\nmodule.exports = { ${names.map((name) => `get ${name}() { return ${load(name)}; }`).join(', ')} };`;
}

/**
 * Leaves out a package with which oclif recognises the Windows Subsystem for Linux. Gatehouse
 * treats it as Linux, and each start would load the package.
 */
export const leaveOutWsl = {
  name: 'leave-out-wsl',
  resolveId: (source) => (source === 'wsl-utils' ? '\0wsl-utils' : null),
  load: (id) =>
    id === '\0wsl-utils' ? 'export const isWsl = false; export const powerShellPath = async () => "powershell";' : null,
};

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

/** A large package. Commands without it load no chunk that contains it. */
const LARGE = /\/node_modules\/undici\//;

/**
 * Groups the modules that a start of the command line loads into few chunks. Without it, each set
 * of commands that share a module makes a chunk, and `list` loads sixty files.
 *
 * The steps load one after the other. A module belongs to the first step that imports it. The
 * modules of a step that a second program also loads are a chunk of their own.
 * @param {Record<string, readonly string[]>} steps the files with which each step begins, by name
 * @param {object} program the second program
 * @param {string} program.file its file, which stays alone: an import of it would run it
 * @param {Record<string, readonly string[]>} program.steps the files of its further steps
 * @returns the `codeSplitting` of rolldown
 */
export function groupStart(steps, program) {
  let closures;
  const name = (id, graph) => {
    const getModuleInfo = (one) => graph.getModuleInfo(one);
    const close = (parts) => Object.entries(parts).map(([step, files]) => [step, closeOver(files, getModuleInfo)]);
    closures ??= { steps: close(steps), program: closeProgram(program, close, getModuleInfo) };
    const find = (parts) => parts.find(([, modules]) => modules.has(id))?.[0];
    const [step, programStep] = [find(closures.steps), find(closures.program)];
    if (id === program.file || LARGE.test(id)) return null;
    if (step === undefined) return programStep ?? null;
    return programStep === undefined ? step : `${step}-shared`;
  };
  // Each group contains the dependencies of its modules, unless an earlier one has them.
  return { includeDependenciesRecursively: false, groups: [{ name }] };
}

/** The modules of the second program by step. Those that others import are one step. */
function closeProgram({ file, steps }, close, getModuleInfo) {
  const closed = close({ supervisor: [file], ...steps });
  const all = new Set(closed.flatMap(([, modules]) => [...modules]));
  const isOutside = (id) => {
    const { importers = [], dynamicImporters = [] } = getModuleInfo(id) ?? {};
    return [...importers, ...dynamicImporters].some((one) => !all.has(one));
  };
  return [...close({ 'supervisor-shared': [...all].filter((id) => id !== file && isOutside(id)) }), ...closed];
}

/** Returns the modules that files import statically, and the files. */
function closeOver(files, getModuleInfo) {
  const found = new Set();
  const open = [...files];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    open.push(...(getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}

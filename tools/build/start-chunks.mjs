/**
 * Groups the modules that a start of the command line loads into few chunks. Without it, each set
 * of commands that share a module makes a chunk, and `list` loads sixty files.
 *
 * The steps load one after the other. A module belongs to the first step that imports it. The
 * modules of a step that a second program also loads are a chunk of their own.
 * @param {Record<string, readonly string[]>} steps the files with which each step begins, by name
 * @param {string} program the file of the second program
 * @returns the `codeSplitting` of rolldown
 */
export function groupStart(steps, program) {
  let closures;
  const name = (id, graph) => {
    const getModuleInfo = (one) => graph.getModuleInfo(one);
    closures ??= {
      steps: Object.entries(steps).map(([step, files]) => [step, closeOver(files, getModuleInfo)]),
      program: closeOver([program], getModuleInfo),
    };
    const [step] = closures.steps.find(([, modules]) => modules.has(id)) ?? [];
    if (step === undefined) return null;
    return closures.program.has(id) ? `${step}-shared` : step;
  };
  // Each group contains the dependencies of its modules, unless an earlier one has them.
  return { includeDependenciesRecursively: false, groups: [{ name }] };
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

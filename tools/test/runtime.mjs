import Runtime from 'jest-runtime';
import { fileURLToPath } from 'node:url';
import { keepGlobals, packageEnvironment } from './environment.mjs';

/** The runtime that loads packages, once for the test files of a project in this process. */
let packages;
/** The environment of that runtime. */
let environmentOfPackages;
/** The runtime of the test file that runs. It loads the modules of this repository. */
let current;

const ownerOf = (path) => (path.includes('/node_modules/') ? packages : current);

/** The modules of a runtime by URL. `get` loads a module of the other runtime there. */
class OwnedModules extends Map {
  constructor(runtime) {
    super();
    this.runtime = runtime;
  }

  get(url) {
    const module = super.get(url);
    if (module !== undefined || !url.startsWith('file:')) return module;
    const owner = ownerOf(url);
    return owner === this.runtime ? undefined : owner.loadModule(url);
  }
}

/** A runtime of jest that loads only its own modules. */
class OwningRuntime extends Runtime {
  constructor(...options) {
    super(...options);
    this.registries.esModuleRegistry = new OwnedModules(this);
  }

  /**
   * Returns a loaded module. Returns undefined for top-level await, which cannot be loaded here:
   * then both runtimes load the module.
   */
  loadModule(url) {
    const path = fileURLToPath(url);
    const suffix = url.slice(url.search(/[?#]|$/));
    const { esmLoader } = this;
    return this.load(() => {
      if (!path.endsWith('.json') && !this.unstable_shouldLoadAsEsm(path))
        return esmLoader.loadCjsAsEsm(path, path, suffix, esmLoader.getContext());
      const module = esmLoader.tryLoadGraphSync(path, suffix, 'sync-preferred');
      return typeof module === 'object' ? module : undefined;
    });
  }

  requireModule(from, name, options, isRequireActual) {
    const isInternal = options?.isInternalModule === true;
    const isCore = name !== undefined && this._resolution.isCoreModule(name);
    const owner = isInternal || isCore ? this : ownerOf(this._resolution.resolveCjs(from, name));
    if (owner === this) return super.requireModule(from, name, options, isRequireActual);
    return owner.load(() => owner.requireModule(from, name));
  }

  load(load) {
    return this === packages ? keepGlobals(load) : load();
  }
}

/**
 * The runtime of jest with one change: the test files of a project share the packages of
 * node_modules (docs/decisions/0244). Each file still evaluates the modules of this repository.
 * @public jest reads it by path
 */
export default class TestRuntime extends OwningRuntime {
  constructor(config, environment, ...options) {
    if (environmentOfPackages !== packageEnvironment()) {
      environmentOfPackages = packageEnvironment();
      packages = new OwningRuntime(config, environmentOfPackages, ...options);
    }
    super(config, environment, ...options);
    current = this;
  }
}

import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Engine } from './engine.ts';
import { type Fixture, unavailable } from './fixture.ts';
import { baseImage, buildOnce, imageEngine, type ImageName, imageName, nodeImage } from './images.ts';

const run = promisify(execFile);
const NPM = '11.6.2';

/** Returns the step that installs packages of Debian. Images with git save it for each build. */
const install = (packages: string): string =>
  `RUN apt-get update && apt-get install -y --no-install-recommends ${packages} && rm -rf /var/lib/apt/lists/*`;

/** The base images of the protocol schemes, made from the machine's own parts. */
export interface PackageImages {
  readonly engine: Engine;
  /** Node with npm and git. */
  npx(): Promise<ImageName>;
  /** Python with pip and git. */
  uvx(): Promise<ImageName>;
  /** The Go of the machine, with git. */
  go(): Promise<ImageName>;
}

/** The base images, where an engine exists and this user can build them. */
export async function packageImages(): Promise<Fixture<PackageImages>> {
  const found = await imageEngine();
  if (!found.available) return found;
  const root = await findGoRoot();
  if (root === undefined) return unavailable('The machine has no Go: apt-get install golang-go, or https://go.dev/dl.');
  const engine = found.value;
  return {
    available: true,
    value: {
      engine,
      npx: () => buildNodeImage(engine),
      uvx: () => buildPythonImage(engine),
      go: () => buildGoImage(engine, root),
    },
  };
}

async function buildNodeImage(engine: Engine): Promise<ImageName> {
  const node = await nodeImage(engine);
  return buildOnce(engine, imageName('npm', node, NPM, 'git'), async (context) => {
    writeFileSync(join(context, 'package.json'), '{}');
    await run('npm', ['install', `npm@${NPM}`, '--no-audit', '--no-fund'], { cwd: context });
    return [
      `FROM ${node}`,
      install('git'),
      'COPY node_modules/npm /usr/local/lib/node_modules/npm',
      'RUN ln -s /usr/local/lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && chmod +x /usr/local/bin/npm',
    ];
  });
}

async function buildPythonImage(engine: Engine): Promise<ImageName> {
  const base = await baseImage(engine);
  const packages = 'git python3 python3-pip python3-venv';
  return buildOnce(engine, imageName('python', base, packages), () => [`FROM ${base}`, install(packages)]);
}

async function buildGoImage(engine: Engine, root: string): Promise<ImageName> {
  const base = await baseImage(engine);
  const { stdout: version } = await run(join(root, 'bin', 'go'), ['version']);
  return buildOnce(engine, imageName('go', base, version, 'git'), (context) => {
    mkdirSync(join(context, 'go'));
    for (const folder of ['bin', 'pkg', 'src', 'lib', 'go.env', 'VERSION'])
      cpSync(join(root, folder), join(context, 'go', folder), { recursive: true, dereference: true });
    return [
      `FROM ${base}`,
      'COPY go /usr/local/go',
      'ENV PATH=/usr/local/go/bin:/usr/sbin:/usr/bin:/sbin:/bin GOCACHE=/var/cache/go',
      install('git'),
      // Builds of tests find these packages compiled.
      'RUN CGO_ENABLED=0 go build -trimpath bufio encoding/json fmt os',
    ];
  });
}

async function findGoRoot(): Promise<string | undefined> {
  try {
    const { stdout } = await run('go', ['env', 'GOROOT']);
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}

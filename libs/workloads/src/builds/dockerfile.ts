import type { BuildOptions } from '../flags/build-flags.ts';
import type { GoPackage, NodePackage, PackageReference, PythonPackage } from '../flags/package-reference.ts';

/** A file of the context of a build. */
export interface ContextFile {
  readonly name: string;
  readonly content: string;
}

/** A Dockerfile and the files beside it. */
export interface Recipe {
  readonly dockerfile: string;
  readonly files: readonly ContextFile[];
}

/** The version of uv. It is a part of the content of an image. */
const UV_VERSION = '0.13.9';
/** The label of all layers of a build, with which `image prune` finds what a build has left. */
export const LAYER_LABEL = 'gatehouse-build-layer';
/** A user without rights, which no base image has. */
const USER = '10001:10001';
const BUNDLE = '/etc/ssl/certs/ca-certificates.crt';
/** The programs that each runtime asks for its certificates. */
const TRUST = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'PIP_CERT', 'REQUESTS_CA_BUNDLE', 'GIT_SSL_CAINFO'];

/** Creates the recipe of an image. Every value is an argument, never a part of a shell. */
export function createRecipe(reference: PackageReference, options: BuildOptions): Recipe {
  const { lines, files } = createStages(reference, options);
  const certificates = options.certificates === undefined ? [] : [{ name: 'ca.crt', content: options.certificates }];
  return { dockerfile: `${lines.join('\n')}\n`, files: [...certificates, ...files] };
}

function createStages(reference: PackageReference, options: BuildOptions): Stages {
  if (reference.scheme === 'uvx') return createPythonStages(reference, options);
  return reference.scheme === 'npx' ? createNodeStages(reference, options) : createGoStages(reference, options);
}

interface Stages {
  readonly lines: readonly string[];
  readonly files: readonly ContextFile[];
}

function createPythonStages({ name, extras, version }: PythonPackage, options: BuildOptions): Stages {
  const requirement = `${name}${extras}${version === undefined ? '' : `==${version}`}`;
  const constraints = options.constraints.flatMap((constraint) => ['--with', constraint]);
  const lines = [
    ...createGitBase(options, 'build'),
    'ENV UV_TOOL_DIR=/opt/tools/packages UV_TOOL_BIN_DIR=/opt/tools/bin UV_PYTHON_DOWNLOADS=never UV_LINK_MODE=copy',
    run('python3', '-m', 'pip', 'install', '--no-cache-dir', '--break-system-packages', `uv==${UV_VERSION}`),
    run('uv', 'tool', 'install', '--no-cache', ...constraints, requirement),
    'COPY select-program.py /opt/select-program.py',
    run('python3', '/opt/select-program.py', name),
    ...createHome(),
    ...createGitBase(options),
    TRUST_MOUNTS,
    'ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PATH=/opt/tools/bin:$PATH',
    'COPY --from=build /opt/tools /opt/tools',
    ...finish('/opt/tools/server'),
  ];
  return { lines, files: [{ name: 'select-program.py', content: SELECT_PYTHON_PROGRAM }] };
}

function createNodeStages({ name, version }: NodePackage, options: BuildOptions): Stages {
  const lines = [
    ...createGitBase(options, 'build'),
    'WORKDIR /app',
    run('npm', 'install', '--no-audit', '--no-fund', '--no-update-notifier', `${name}@${version ?? 'latest'}`),
    'COPY select-program.cjs /opt/select-program.cjs',
    run('node', '/opt/select-program.cjs', name),
    ...createHome(),
    ...createGitBase(options),
    TRUST_MOUNTS,
    'ENV NODE_ENV=production PATH=/app/node_modules/.bin:$PATH',
    'COPY --from=build /app /app',
    ...finish('/app/server'),
  ];
  return { lines, files: [{ name: 'select-program.cjs', content: SELECT_NODE_PROGRAM }] };
}

function createGoStages(reference: GoPackage, options: BuildOptions): Stages {
  const build =
    'path' in reference
      ? ['COPY source /source', 'WORKDIR /source', run('go', 'build', '-trimpath', '-o', '/out/server', '@target@')]
      : [
          run('go', 'install', '-trimpath', `${reference.name}@${reference.version ?? 'latest'}`),
          run('sh', '-c', 'mv /out/* /out/server'),
        ];
  const isBare = options.packages.length === 0;
  const lines = [
    // Modules that no proxy has come from their repositories.
    ...('path' in reference ? createBase(options, 'build') : createGitBase(options, 'build')),
    'ENV CGO_ENABLED=0 GOBIN=/out GOTOOLCHAIN=auto',
    ...build,
    ...createHome(),
    // A static program needs no operating system.
    ...(isBare ? ['FROM scratch', `COPY --from=build ${BUNDLE} ${BUNDLE}`] : createBase(options)),
    'COPY --from=build /out/server /server',
    ...finish('/server'),
  ];
  return { lines, files: [] };
}

/** A stage with git, which packages run, and which fetches dependencies from repositories. */
const createGitBase = (options: BuildOptions, stage?: string): string[] => createBase(options, stage, [INSTALL_GIT]);

/**
 * A stage with the certificates before anything uses the network, and the packages.
 * @param steps before the packages, so that all builds of a base image share their layers
 */
function createBase(
  { image, packages, certificates, environment }: BuildOptions,
  stage?: string,
  steps: readonly string[] = [],
): string[] {
  return [
    `FROM ${image}${stage === undefined ? '' : ` AS ${stage}`}`,
    `LABEL ${LAYER_LABEL}=true`,
    'USER 0:0',
    ...(certificates === undefined
      ? []
      : [
          'COPY ca.crt /usr/local/share/ca-certificates/gatehouse.crt',
          run('sh', '-c', `mkdir -p /etc/ssl/certs && cat /usr/local/share/ca-certificates/gatehouse.crt >> ${BUNDLE}`),
          `ENV ${TRUST.map((name) => `${name}=${BUNDLE}`).join(' ')}`,
        ]),
    ...steps,
    ...(packages.length === 0 ? [] : [run('sh', '-c', INSTALL_PACKAGES, 'install', ...packages)]),
    // Only the stage that installs packages needs their registries.
    ...(stage === undefined ? [] : Object.entries(environment).map(([name, value]) => `ENV ${name}="${value}"`)),
  ];
}

const createHome = (): string[] => [run('mkdir', '-p', '/home/server')];

const finish = (program: string): string[] => [
  `COPY --from=build --chown=${USER} /home/server /home/server`,
  'ENV HOME=/home/server',
  'WORKDIR /home/server',
  `USER ${USER}`,
  `ENTRYPOINT ${JSON.stringify([program])}`,
];

const run = (...words: readonly string[]): string => `RUN ${JSON.stringify(words)}`;

/** Alpine and Debian name their package managers differently; the base image decides. */
const INSTALL =
  'if command -v apk >/dev/null; then apk add --no-cache "$@"; elif command -v apt-get >/dev/null; then ' +
  'apt-get update && apt-get install -y --no-install-recommends "$@" && apt-get clean && rm -rf /var/lib/apt/lists/*; ';
const INSTALL_PACKAGES = `${INSTALL}else echo "the base image has neither apk nor apt-get" >&2; exit 1; fi`;
/** A base image that has git, or no package manager, stays as it is. */
const INSTALL_GIT = run('sh', '-c', `command -v git >/dev/null || ${INSTALL}fi`, 'install', 'git');

/** Git refuses repositories of other users, and a mounted one belongs to a user of the machine. */
const TRUST_MOUNTS = 'ENV GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0=*';

/** Links the program of a Python package: the one with its name, else the only one. */
const SELECT_PYTHON_PROGRAM = `import os, re, sys
folder = '/opt/tools/bin'
programs = sorted(os.listdir(folder))
plain = lambda text: re.sub('[-_.]+', '-', text).lower()
named = [program for program in programs if plain(program) == plain(sys.argv[1])]
chosen = named or programs
if len(chosen) != 1:
    sys.exit('the package %s has the programs %s, and none has its name' % (sys.argv[1], ', '.join(programs) or 'none'))
os.symlink(os.path.join(folder, chosen[0]), '/opt/tools/server')
`;

/** Links the program of an npm package: the one with its name without scope, else the only one. */
const SELECT_NODE_PROGRAM = `const { readFileSync, symlinkSync, chmodSync } = require('node:fs');
const { join } = require('node:path');
const name = process.argv[2];
const folder = join('/app/node_modules', name);
const { bin = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const plain = name.split('/').pop();
const programs = typeof bin === 'string' ? { [plain]: bin } : bin;
const names = Object.keys(programs);
const chosen = names.includes(plain) ? plain : names.length === 1 ? names[0] : undefined;
if (chosen === undefined) {
  console.error('the package ' + name + ' has the programs ' + (names.join(', ') || 'none') + ', and none has its name');
  process.exit(1);
}
const program = join(folder, programs[chosen]);
chmodSync(program, 0o755);
symlinkSync(program, '/app/server');
`;

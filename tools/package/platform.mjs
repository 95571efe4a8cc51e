import { copyFileSync, cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { UNBUNDLED } from '../build/bundle.mjs';
import { writeBundle } from '../build/portable-bundle.mjs';
import { pinDependencies, readJson, writeManifest } from './manifest.mjs';

const SUPERVISOR = 'apps/local-platform';
const CONSOLE = 'apps/console';
const SERVICES = ['enterprise-manager', 'connector-gateway', 'ai-gateway', 'ai-gateway-mgmt'];

/** The programs that the supervisor starts. */
const PROGRAMS = ['main', 'identity-provider/main', 'resources/main', 'demo-provider/main'];

/** Packages that libraries import when they are installed: drivers, and parts of NestJS. */
const UNUSED = ['pg-native', 'class-validator', 'class-transformer', '@nestjs/microservices', '@nestjs/websockets'];

/** The pages of the API reference, which services find by the name of their library. */
const PAGE = 'libs/service-kit/page';
const PAGE_SPECIFIER = ['@gatehouse/service-kit', 'page', ''].join('/');

/**
 * Fills the folder of the package `gatehouse-platform`. The folders are those of the repository, so
 * that the supervisor finds the services.
 * @param {string} folder
 */
export async function fillPlatform(folder) {
  const bundle = (app, names) =>
    writeBundle({
      input: Object.fromEntries(names.map((name) => [name, resolve(app, 'dist', `${name}.js`)])),
      folder: join(folder, app, 'dist'),
      // Modules name files beside themselves.
      chunks: '[name]-[hash].js',
      dependencies: UNBUNDLED,
      optional: UNUSED,
    });
  await bundle(SUPERVISOR, PROGRAMS);
  await bundle(CONSOLE, ['main']);
  cpSync(`${CONSOLE}/dist/web`, join(folder, CONSOLE, 'dist/web'), { recursive: true });
  cpSync(`${SUPERVISOR}/resources`, join(folder, SUPERVISOR, 'resources'), { recursive: true });
  const { name, version, type } = readJson(`${SUPERVISOR}/package.json`);
  writeFileSync(
    join(folder, SUPERVISOR, 'package.json'),
    `${JSON.stringify({ name, version, type, private: true })}\n`,
  );
  for (const service of SERVICES) copyService(`apps/${service}/dist/bundle`, folder);
  writeManifest(folder, {
    name: 'gatehouse-platform',
    description: 'All services of Gatehouse on one machine, with an embedded Postgres: gatehouse up.',
    exports: { './package.json': './package.json', './start': `./${SUPERVISOR}/dist/main.js` },
    dependencies: pinDependencies(UNBUNDLED),
  });
}

/** Copies the bundle of a service without its source maps, and the pages of its reference. */
function copyService(source, folder) {
  const target = join(folder, source);
  mkdirSync(join(target, 'page'), { recursive: true });
  for (const file of globSync(`${source}/*.js`)) {
    const code = readFileSync(file, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
    writeFileSync(join(target, basename(file)), code.replaceAll(PAGE_SPECIFIER, './page/'));
  }
  for (const file of globSync(`${PAGE}/*`)) copyFileSync(file, join(target, 'page', basename(file)));
}

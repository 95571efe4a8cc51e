import type { Fixture } from './fixture.ts';
import { npmPackage } from './npm-package.ts';

/**
 * The program of a Node version, from the npm registry.
 * @param version such as `22.19.0`
 */
export const nodeVersion = (version: string): Promise<Fixture<string>> =>
  npmPackage(`node-${process.platform}-${process.arch}`, version, 'bin/node');

import { existsSync } from 'node:fs';
import { available, type Fixture, unavailable } from './fixture.ts';

const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Finds a browser of this machine. */
export function findChromium(): Fixture<string> {
  const program = PROGRAMS.find((path) => existsSync(path));
  return program === undefined ? unavailable('there is no Chromium: apt-get install chromium') : available(program);
}

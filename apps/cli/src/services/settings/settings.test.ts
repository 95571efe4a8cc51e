import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { BuildFlags } from '@gatehouse/workloads/flags/build-flags';
import { loadCliConfig, type CliConfig } from '../../config/config.ts';
import { addBuildDefaults, addIgnoreDefault } from './build-defaults.ts';
import { getSetting, setSetting, unsetSetting } from './settings.ts';

let config: CliConfig;
const getFile = () => join(config.home, 'settings.json');
beforeEach(() => {
  config = loadCliConfig('/', { GATEHOUSE_HOME: mkdtempSync(join(tmpdir(), 'settings-')) });
});
afterEach(() => rmSync(config.home, { recursive: true }));

describe('setSetting', () => {
  it.each([
    ['runtime.npm.image', 'x', "There is no setting 'runtime.npm.image'"],
    ['nonsense', 'x', "There is no setting 'nonsense'"],
    ['constructor', 'x', 'There is no setting'],
    ['engine', '', 'needs a value'],
    ['engine', 'carrier://pigeon', 'The setting engine carrier://pigeon'],
    ['runtime.go.image', 'Not An Image', 'The setting runtime.go.image "Not An Image"'],
    ['runtime.go.packages', 'a;b', 'The setting runtime.go.packages a;b'],
    ['network_range', '10.0.0.0/33', 'The setting network_range 10.0.0.0/33'],
    ['image_verification', 'maybe', 'must be warn, enabled or disabled'],
    ['ignore_globally', '1', 'must be true or false'],
    ['ca_certificate', '/nonexistent.pem', 'The setting ca_certificate "/nonexistent.pem" cannot be read'],
    ['registry', './registry.json', 'has a command of its own'],
  ])('refuses %s with %j and changes nothing', async (key, text, sentence) => {
    writeFileSync(getFile(), '{"other":{"a":1}}');
    await expect(setSetting(key, text, '/', config)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(sentence),
    });
    expect(readFileSync(getFile(), 'utf8')).toBe('{"other":{"a":1}}');
  });

  it('stores values that getSetting returns, until unsetSetting', async () => {
    await setSetting('network_range', '10.1.0.0/16, 10.2.0.0/16', '/', config);
    expect(getSetting('network_range', config)).toMatchObject({
      ...{ value: ['10.1.0.0/16', '10.2.0.0/16'], source: 'file' },
    });
    await setSetting('ignore_globally', 'false', '/', config);
    expect(getSetting('ignore_globally', config)).toMatchObject({ value: false, source: 'file', default: true });
    await unsetSetting('network_range', config);
    expect(getSetting('network_range', config)).toMatchObject({ source: 'default' });
  });

  it('prefers a variable', async () => {
    await setSetting('engine', 'unix:///a.sock', '/', config);
    const given = loadCliConfig('/', { GATEHOUSE_HOME: config.home, DOCKER_CONTEXT: 'remote' });
    expect(getSetting('engine', given)).toMatchObject({ value: 'remote', variable: 'DOCKER_CONTEXT' });
  });
});

describe('getSetting', () => {
  it.each(['{"values":{"engine":"nonsense"}}', '{"values":{"engine":7}}', '{"values":[]}', '{"values":', '[]'])(
    'reports the damaged file %s',
    (text) => {
      writeFileSync(getFile(), text);
      expect(() => getSetting('engine', config)).toThrow(
        expect.objectContaining({ code: 'failed', tryNext: [expect.stringMatching(/unset engine|correct the file/)] }),
      );
    },
  );
});

describe('addBuildDefaults', () => {
  beforeEach(async () => {
    await setSetting('runtime.npx.image', 'node:22', '/', config);
    await setSetting('runtime.npx.packages', 'git,curl', '/', config);
  });

  it.each([
    ['npx://x', {}, { runtimeImage: 'node:22', runtimeAddPackage: ['curl', 'git'] }],
    ['npx://x', { runtimeImage: 'a', runtimeAddPackage: ['b'] }, { runtimeImage: 'a', runtimeAddPackage: ['b'] }],
    ['uvx://x', {}, {}],
    ['owner/image', {}, {}],
  ])('completes the flags of %s with %j', (source, flags, complete) => {
    // The registries are those of the environment of the tests.
    const { buildEnvironment: _, ...completed }: BuildFlags = addBuildDefaults<BuildFlags>(source, flags, config.home);
    expect(completed).toEqual(complete);
  });

  it('prefers registries that were given', () => {
    const flags = { buildEnvironment: { NPM_CONFIG_REGISTRY: 'https://npm.example.com' } };
    expect(addBuildDefaults('npx://x', flags, config.home)).toMatchObject(flags);
  });
});

describe('addIgnoreDefault', () => {
  it.each([
    [undefined, undefined, undefined],
    ['false', undefined, false],
    ['false', true, true],
    ['true', false, false],
  ])('with the setting %j and the flag %j gives %j', async (setting, ignoreGlobally, expected) => {
    if (setting !== undefined) await setSetting('ignore_globally', setting, '/', config);
    expect(addIgnoreDefault({ ignoreGlobally }, config.home).ignoreGlobally).toBe(expected);
  });
});

import { describe, expect, it } from '@jest/globals';
import { DEFAULT_HOME } from './config.ts';
import { homePaths } from './home.ts';
import type { PlatformFile } from './platform-file.ts';
import { formatWelcome } from './welcome.ts';

const url = 'http://127.0.0.1:1';
const platform: PlatformFile = {
  version: '1',
  pid: 1,
  started_at: '2026-01-01T00:00:00.000Z',
  urls: {
    enterprise_manager: url,
    connector_gateway: url,
    connector_gateway_control: url,
    ai_gateway_mgmt: url,
    ai_gateway: url,
    console: url,
    identity_provider: url,
  },
  issuer: url,
  audience: 'a',
  gateway_id: 'local',
  ai_gateway_id: 'local-ai',
  users: [],
};

const facts = { seconds: 1, demo: false };

describe('formatWelcome', () => {
  it('shows a call of the demo model only for a demonstration', () => {
    const paths = homePaths(DEFAULT_HOME);
    expect(formatWelcome(platform, paths, { ...facts, demo: true })).toContain('"model": "demo-echo"');
    expect(formatWelcome(platform, paths, facts)).not.toContain('demo-echo');
  });

  it('shows the export of another home, quoted for a shell', () => {
    expect(formatWelcome(platform, homePaths(DEFAULT_HOME), facts)).not.toContain('GATEHOUSE_HOME');
    expect(formatWelcome(platform, homePaths('/srv/home'), facts)).toContain('export GATEHOUSE_HOME=/srv/home\n');
    expect(formatWelcome(platform, homePaths("/srv/Ann's home"), facts)).toContain(
      "GATEHOUSE_HOME='/srv/Ann'\\''s home'\n",
    );
  });
});

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

describe('formatWelcome', () => {
  it('shows the export of another home, quoted for a shell', () => {
    expect(formatWelcome(platform, homePaths(DEFAULT_HOME), 1)).not.toContain('GATEHOUSE_HOME');
    expect(formatWelcome(platform, homePaths('/srv/home'), 1)).toContain('export GATEHOUSE_HOME=/srv/home\n');
    expect(formatWelcome(platform, homePaths("/srv/Ann's home"), 1)).toContain(
      "GATEHOUSE_HOME='/srv/Ann'\\''s home'\n",
    );
  });
});

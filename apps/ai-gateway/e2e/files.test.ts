import { describe, expect, it } from '@jest/globals';
import { eventually } from '@gatehouse/testing/eventually';
import { startFolderBackend } from '@gatehouse/testing/folder-backend';
import { readFileSync, writeFileSync } from 'node:fs';
import { describeLiveGateway } from './support/live-gateway-suite.ts';
import { createGateway, GATEWAY, startService } from './support/service.ts';

describe('AI gateway on files', () => {
  describeLiveGateway(startFolderBackend);

  it('keeps the last valid content of a file with an error, and readiness names file, line and field', async () => {
    const backend = startFolderBackend();
    await backend.apply('AIGateway', createGateway({ issuer: 'http://127.0.0.1:1', audience: 'test' }));
    const service = await startService(backend, { PORT: '0', METRICS_PORT: '0', LOG_LEVEL: 'silent' });
    const readReadiness = async () => {
      const response = await fetch(`${service.url}/readyz`);
      return [response.status, await response.text()] as const;
    };
    try {
      await eventually(async () => (await readReadiness())[0] === 200, 'the service is ready');
      const file = backend.findFile('AIGateway', GATEWAY);
      writeFileSync(file, readFileSync(file, 'utf8').replace('audience: test', 'audience: [test]'));
      const found = await eventually(async () => {
        const [status, text] = await readReadiness();
        return text.includes('audience') ? ([status, text] as const) : undefined;
      }, 'the readiness names the file');
      expect(found).toEqual([200, expect.stringMatching(/aigateway-gateway-a\.yaml.*\d.*audience/)]);
      const headers = { authorization: 'Bearer unknown' };
      expect((await fetch(`${service.url}/v1/models`, { headers })).status).toBe(401);
    } finally {
      await service.close();
      await backend.close();
    }
  });
});

import { expect } from '@jest/globals';
import { describeInactivePeople } from '@gatehouse/testing/inactive-people';
import { loadSettings } from '../src/config/config.ts';
import { OWN_ENVIRONMENT, startService } from './service.ts';

describeInactivePeople({
  start: startService,
  loadSettings: (environment) => loadSettings({ ...OWN_ENVIRONMENT, ...environment }),
  path: '/v1/info',
  refusal: expect.objectContaining({ error: 'forbidden' }),
});

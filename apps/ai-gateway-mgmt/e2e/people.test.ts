import { expect } from '@jest/globals';
import { describeInactivePeople } from '@gatehouse/testing/inactive-people';
import { loadSettings } from '../src/config/config.ts';
import { OWN_ENVIRONMENT, startFolderService } from './support/folder-service.ts';

describeInactivePeople({
  start: (environment, now) => startFolderService(environment, { now }),
  loadSettings: (environment) => loadSettings({ ...OWN_ENVIRONMENT, ...environment }),
  path: '/v1/info',
  refusal: expect.objectContaining({ error: 'forbidden' }),
});

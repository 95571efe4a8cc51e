import { expect } from '@jest/globals';
import { describeInactivePeople } from '@gatehouse/testing/inactive-people';
import { loadSettings } from '../src/config.ts';
import { OWN_ENVIRONMENT, startFolderService } from './support/service.ts';

describeInactivePeople({
  start: startFolderService,
  loadSettings: (environment) => loadSettings({ ...OWN_ENVIRONMENT, ...environment }),
  path: '/v1/models',
  refusal: {
    error: expect.objectContaining({ message: 'You may not use this gateway.', code: expect.any(String) }),
  },
});

import { describeInactivePeople } from '@gatehouse/testing/inactive-people';
import { loadSettings } from '../src/config.ts';
import { OWN_ENVIRONMENT, startFolderService } from './support/service.ts';

describeInactivePeople({
  start: startFolderService,
  loadSettings: (environment) => loadSettings({ ...OWN_ENVIRONMENT, ...environment }),
  path: '/v1/models',
  refusal: { error: 'no active directory entry' },
});

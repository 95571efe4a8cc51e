import { describeInactivePeople } from '@gatehouse/testing/inactive-people';
import { loadSettings } from '../src/config.ts';
import { OWN_ENVIRONMENT, startService } from './service.ts';

describeInactivePeople({
  start: startService,
  loadSettings: (environment) => loadSettings({ ...OWN_ENVIRONMENT, ...environment }),
  path: '/v1/models',
  refusal: { error: 'no active directory entry' },
});

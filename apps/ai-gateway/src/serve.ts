import { startService } from '@gatehouse/service-kit/start';
import { loadSettings } from './config.ts';
import { createServiceOptions } from './service-options.ts';

await startService(() => createServiceOptions(loadSettings()));

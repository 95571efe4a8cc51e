import { startService } from '@gatehouse/service-kit/start';
import { loadSettings } from './config/config.ts';
import { serviceOptions } from './service-options.ts';

await startService(() => serviceOptions(loadSettings()));

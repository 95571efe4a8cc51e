import { startService } from '@gatehouse/service-kit/start';
import { AppModule } from './app.module.ts';
import { loadSettings } from './config.ts';
import { service } from './openapi.ts';

await startService(() => {
  const settings = loadSettings();
  return { ...service, settings, module: AppModule.with(settings) };
});

import { startService } from '@gatehouse/service-kit/start';
import { AppModule } from './app.module.ts';
import { loadSettings } from './config.ts';
import { SERVICE } from './service.ts';

await startService(() => {
  const settings = loadSettings();
  return { ...SERVICE, settings, module: AppModule.with(settings) };
});

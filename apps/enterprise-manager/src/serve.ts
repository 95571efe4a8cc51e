import { startService } from '@gatehouse/service-kit/start';
import { AppModule } from './app.module.ts';
import { loadSettings } from './config/config.ts';
import { openDatabase } from './open-database.ts';
import { handling, service } from './openapi.ts';

await startService(async () => {
  const settings = loadSettings();
  const database = await openDatabase(settings);
  return {
    ...service,
    ...handling,
    settings,
    module: AppModule.createForService(settings, database),
  };
});

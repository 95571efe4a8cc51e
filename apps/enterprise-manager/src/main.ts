import { startService } from '@gatehouse/service-kit/start';
import { AppModule } from './app.module.ts';
import { AuditService } from './audit/audit.service.ts';
import { loadSettings } from './config.ts';
import { openDatabase } from './database/open-database.ts';
import { service } from './openapi.ts';

await startService(async () => {
  const settings = loadSettings();
  const database = await openDatabase(settings);
  return {
    ...service,
    settings,
    module: AppModule.with(settings, database),
    onForbidden: (event, app) => app.get(AuditService).recordForbidden(event),
  };
});

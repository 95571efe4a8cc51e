import { startService } from '@gatehouse/service-kit/start';
import { AppModule } from './app.module.ts';
import { loadSettings } from './config.ts';
import { readGatewayFile } from './models/gateway-file.ts';
import { modelList } from './models/model-list.ts';
import { service } from './openapi.ts';

await startService(() => {
  const settings = loadSettings();
  const { gateway, changedAt } = readGatewayFile(settings.GATEWAY_FILE);
  return { ...service, settings, module: AppModule.with(modelList(gateway, changedAt)) };
});

import { watchParent } from '../parent-guard/parent.ts';
import { IdentityProviderConfigError, readConfig } from './config.ts';
import { startIdentityProvider } from './server.ts';

try {
  const config = readConfig();
  const running = await startIdentityProvider(config);
  console.log(JSON.stringify({ message: 'identity provider is ready', issuer: config.issuer }));
  const stop = (): void => {
    void running.close().then(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  if (config.supervisorPid !== undefined) watchParent(config.supervisorPid, stop);
} catch (error) {
  if (!(error instanceof IdentityProviderConfigError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}

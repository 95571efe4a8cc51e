/** The settings of the demo provider; the supervisor sets them. */
export interface DemoProviderConfig {
  readonly port: number;
  readonly supervisorPid: number | undefined;
}

/** Reads the settings. */
export const readConfig = (env: NodeJS.ProcessEnv = process.env): DemoProviderConfig => ({
  port: Number(env['PORT'] ?? '8085'),
  supervisorPid: env['GATEHOUSE_PLATFORM_PID'] === undefined ? undefined : Number(env['GATEHOUSE_PLATFORM_PID']),
});

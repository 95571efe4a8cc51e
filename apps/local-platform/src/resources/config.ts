import { resourceSettings } from '@gatehouse/ai-resources/resource-settings';
import { flag, loadConfig } from '@gatehouse/service-kit/config';
import { z } from 'zod';

const settingsSchema = z.object({
  ...resourceSettings,
  GATEHOUSE_HOME: z.string(),
  ISSUER: z.string(),
  DEMO_PROVIDER_URL: z.string(),
  DEMO: flag(false),
});

/** The settings of the program that prepares the resources; the supervisor sets them. */
export type ResourceProgramSettings = z.output<typeof settingsSchema>;

/** Reads the settings. @throws ConfigError with every problem */
export const readSettings = (env: NodeJS.ProcessEnv = process.env): ResourceProgramSettings =>
  loadConfig(settingsSchema, env);

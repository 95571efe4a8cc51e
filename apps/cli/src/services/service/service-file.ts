import { writeLaunchAgent } from './launch-agent.ts';
import type { ServicePlan } from './service-plan.ts';
import { writeSystemdUnit } from './systemd-unit.ts';

/** The content of the file of a service. */
export const writeServiceFile = (plan: ServicePlan): string =>
  plan.manager === 'systemd' ? writeSystemdUnit(plan) : writeLaunchAgent(plan);

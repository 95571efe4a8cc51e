import type { ServicePlan } from './service-plan.ts';

/** A text in quotes, as unit files have it (systemd.syntax(7)). `%` begins a specifier. */
const quote = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%').replaceAll('\n', '\\n')}"`;

/** The same for a word of a command, where `$` begins a variable. */
const quoteWord = (text: string): string => quote(text).replaceAll('$', '$$$$');

/**
 * Writes the unit of the user's systemd. It starts the workloads and ends; `KillMode=process` lets
 * their supervisors run when the unit ends or is tried again.
 */
export function writeSystemdUnit({ command, environment, home }: ServicePlan): string {
  const variables = Object.entries(environment).map(([name, value]) => `Environment=${quote(`${name}=${value}`)}`);
  return `[Unit]
Description=Gatehouse workloads of ${home.replaceAll('%', '%%').replaceAll('\n', ' ')}
StartLimitIntervalSec=0

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=${command.map(quoteWord).join(' ')}
KillMode=process
Restart=on-failure
RestartSec=30
TimeoutStartSec=infinity
${variables.join('\n')}

[Install]
WantedBy=default.target
`;
}

import type { ServicePlan } from './service-plan.ts';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const writeText = (text: string): string =>
  `<string>${text.replace(/[&<>]/g, (sign) => ENTITIES[sign] ?? '')}</string>`;

/** Writes the launchd agent of macOS. Its supervisors stay when the agent ends. */
export function writeLaunchAgent({ label, command, environment, log }: ServicePlan): string {
  const variables = Object.entries(environment).map(([name, value]) => `    <key>${name}</key>${writeText(value)}`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>${writeText(label)}
  <key>ProgramArguments</key>
  <array>
${command.map((word) => `    ${writeText(word)}`).join('\n')}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
${variables.join('\n')}
  </dict>
  <key>RunAtLoad</key><true/>
  <key>AbandonProcessGroup</key><true/>
  <key>StandardErrorPath</key>${writeText(log)}
</dict>
</plist>
`;
}

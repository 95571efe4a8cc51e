/** The variable from which the lines take the key, so that they do not repeat it. */
const KEY_VARIABLE = 'GATEHOUSE_KEY';

/**
 * The lines of a shell that make clients of models call the AI gateway with a virtual key.
 * @param gateway its address, without a trailing slash
 */
export function formatClientLines(gateway: string): string {
  const key = `$${KEY_VARIABLE}`;
  const provider = `{name="Gatehouse",base_url="${gateway}/v1",env_key="${KEY_VARIABLE}",wire_api="responses"}`;
  const lines: readonly (readonly [clients: string, line: string])[] = [
    ['the key above', `export ${KEY_VARIABLE}=…`],
    ['openai SDK', `export OPENAI_BASE_URL=${gateway}/v1 OPENAI_API_KEY=${key}`],
    ['anthropic SDK and Claude Code', `export ANTHROPIC_BASE_URL=${gateway} ANTHROPIC_AUTH_TOKEN=${key}`],
    [
      'google-genai SDK and Gemini CLI, which asks once: choose "Use Gemini API key", or without a terminal write\n' +
        '  #   {"security": {"auth": {"selectedType": "gemini-api-key"}}} into ~/.gemini/settings.json',
      `export GOOGLE_GEMINI_BASE_URL=${gateway} GEMINI_API_KEY=${key}`,
    ],
    ['Codex', `codex -c model_provider=gatehouse -c 'model_providers.gatehouse=${provider}'`],
  ];
  return [
    'To call models with the key (gatehouse models lists them):',
    ...lines.flatMap(([clients, line]) => [`  # ${clients}`, `  ${line}`]),
  ].join('\n');
}

// The client command of the conformance suite. It hands the scenario to the test that started the
// suite, at CLIENT_URL, and ends with its outcome.
const { CLIENT_URL, MCP_CONFORMANCE_CONTEXT = '{}' } = process.env;

const response = await fetch(CLIENT_URL, {
  method: 'POST',
  body: JSON.stringify({ serverUrl: process.argv.at(-1), context: JSON.parse(MCP_CONFORMANCE_CONTEXT) }),
});
if (!response.ok) process.exitCode = 1;

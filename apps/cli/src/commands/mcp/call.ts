import { text } from 'node:stream/consumers';
import { Args, Flags } from '@oclif/core';
import { callFlags, McpCommand, targetArgument } from '../../base/mcp-command.ts';
import { UsageError } from '../../errors/cli-error.ts';
import { list } from '../../flags/build-flags.ts';
import { ExitCode } from '../../terminal/error-report.ts';
import { printableLines } from '../../terminal/output.ts';
import { withProgress } from '../../terminal/progress.ts';

/** `gatehouse mcp call`. */
export default class McpCall extends McpCommand {
  static override summary = 'call a tool of a workload or of another MCP server';
  static override description = `Prints the content of the result; with --json, the whole result. The exit code is 1 when the tool reports an error. Progress and log messages of the server go to stderr, and Ctrl-C cancels the call.`;
  static override examples = [
    '<%= config.bin %> mcp call files echo --argument message=hello',
    '<%= config.bin %> mcp call files get-sum --argument a=1 --argument b=2 --json',
    `<%= config.bin %> mcp call files echo --json-arguments '{"message": "hello"}'`,
    'echo \'{"message": "hello"}\' | <%= config.bin %> mcp call files echo --json-arguments -',
  ];
  static override args = {
    ...targetArgument,
    tool: Args.string({ required: true, ignoreStdin: true, description: 'name of the tool' }),
  };
  static override flags = {
    argument: list('argument of the tool, key=value; the schema of the tool decides the type; may be repeated'),
    'json-arguments': Flags.string({ description: 'all arguments as a JSON object; - reads them from standard input' }),
    ...callFlags('10m'),
  };

  async run(): Promise<void> {
    const { flags, args } = await this.read(McpCall);
    const { argument: typed = [], 'json-arguments': json } = flags;
    if (json !== undefined && typed.length > 0)
      throw new UsageError('--argument and --json-arguments cannot be given together');
    const { callTool, formatContent } = await import('../../services/mcp/call-tool.ts');
    const { parseJsonArguments } = await import('../../services/mcp/tool-arguments.ts');
    const parsed = json === undefined ? undefined : parseJsonArguments(json === '-' ? await text(process.stdin) : json);
    const result = await this.call(args.target, flags.timeout, (session) =>
      withProgress(`Calling ${args.tool}`, (progress) =>
        callTool(session, { tool: args.tool, typed, args: parsed }, progress),
      ),
    );
    if (flags.json) this.output.json(result);
    else {
      const show = process.stdout.isTTY ? printableLines : (content: string) => content;
      for (const content of formatContent(result)) this.output.line(show(content));
    }
    if (result['isError'] === true) process.exitCode = ExitCode.failure;
  }
}

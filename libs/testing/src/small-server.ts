import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Engine } from './engine.ts';
import { type Fixture, available, unavailable } from './fixture.ts';
import { buildOnce, imageEngine, imageName, type ImageName } from './images.ts';

const run = promisify(execFile);

/** A server on standard streams with one tool, without a dependency. */
export const GO_SERVER = `package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var message struct {
			ID     json.RawMessage
			Method string
			Params struct{ ProtocolVersion string }
		}
		if json.Unmarshal(lines.Bytes(), &message) != nil || message.ID == nil {
			continue
		}
		result := "{}"
		switch message.Method {
		case "initialize":
			result = fmt.Sprintf(\`{"protocolVersion":%q,"capabilities":{"tools":{}},"serverInfo":{"name":"go","version":"1"}}\`, message.Params.ProtocolVersion)
		case "tools/list":
			result = \`{"tools":[{"name":"greet","inputSchema":{"type":"object"}}]}\`
		}
		fmt.Printf("{\\"jsonrpc\\":\\"2.0\\",\\"id\\":%s,\\"result\\":%s}\\n", message.ID, result)
	}
}
`;

/** An engine that can build the image of {@link buildSmallServer}. */
export async function smallServerEngine(): Promise<Fixture<Engine>> {
  const engine = await imageEngine();
  if (!engine.available) return engine;
  try {
    await run('go', ['version']);
    return available(engine.value);
  } catch {
    return unavailable('The machine has no Go: apt-get install golang-go, or https://go.dev/dl.');
  }
}

/**
 * An image of about 2 MB with a stdio server that has the tool `greet`: small enough to be pushed
 * to registries and loaded into other engines.
 */
export const buildSmallServer = (engine: Engine): Promise<ImageName> =>
  buildOnce(engine, imageName('small-server', GO_SERVER), async (context) => {
    writeFileSync(join(context, 'main.go'), GO_SERVER);
    await run('go', ['build', '-trimpath', '-ldflags=-s -w', '-o', 'server', 'main.go'], {
      cwd: context,
      env: { ...process.env, CGO_ENABLED: '0', GO111MODULE: 'off' },
    });
    return [
      'FROM scratch',
      'COPY server /server',
      'LABEL io.modelcontextprotocol.transport=stdio',
      'USER 10001:10001',
      'ENTRYPOINT ["/server"]',
    ];
  });

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
		case "tools/call":
			result = \`{"content":[{"type":"text","text":"hello"}]}\`
		}
		fmt.Printf("{\\"jsonrpc\\":\\"2.0\\",\\"id\\":%s,\\"result\\":%s}\\n", message.ID, result)
	}
}
`;

/** The same server on streamable HTTP, at the port of MCP_PORT. */
const HTTP_SERVER = `package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

func main() {
	http.HandleFunc("/mcp", func(response http.ResponseWriter, request *http.Request) {
		var message struct {
			ID     json.RawMessage
			Method string
			Params struct{ ProtocolVersion string }
		}
		if request.Method != "POST" {
			response.WriteHeader(405)
			return
		}
		if json.NewDecoder(request.Body).Decode(&message) != nil || message.ID == nil {
			response.WriteHeader(202)
			return
		}
		result := "{}"
		switch message.Method {
		case "initialize":
			result = fmt.Sprintf(\`{"protocolVersion":%q,"capabilities":{"tools":{}},"serverInfo":{"name":"go","version":"1"}}\`, message.Params.ProtocolVersion)
		case "tools/list":
			result = \`{"tools":[{"name":"greet","inputSchema":{"type":"object"}}]}\`
		case "tools/call":
			result = \`{"content":[{"type":"text","text":"hello"}]}\`
		}
		response.Header().Set("content-type", "application/json")
		fmt.Fprintf(response, \`{"jsonrpc":"2.0","id":%s,"result":%s}\`, message.ID, result)
	})
	fmt.Println("listening")
	http.ListenAndServe(":"+os.Getenv("MCP_PORT"), nil)
}
`;

/**
 * A server on streamable HTTP whose tool opens connections. Its arguments are `network` (tcp, dns,
 * name, get) and `address`; the result is `open`, an answer or an error.
 */
const DIALING_SERVER = HTTP_SERVER.replace('"encoding/json"', '"context"\n\t"encoding/json"')
  .replace('"net/http"', '"net"\n\t"net/http"\n\t"time"')
  .replace('"os"', '"os"\n\t"strings"')
  .replace(
    'Params struct{ ProtocolVersion string }',
    'Params struct{ ProtocolVersion string; Arguments struct{ Network, Address string } }',
  )
  .replace(
    'result = `{"content":[{"type":"text","text":"hello"}]}`',
    'result = fmt.Sprintf(`{"content":[{"type":"text","text":%q}]}`, dial(message.Params.Arguments.Network, message.Params.Arguments.Address))',
  ).concat(`
func dial(network, address string) string {
	limit := 2 * time.Second
	if network == "name" {
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		defer cancel()
		found, err := net.DefaultResolver.LookupHost(ctx, address)
		if err != nil {
			return "error: " + err.Error()
		}
		return strings.Join(found, ",")
	}
	if network == "get" {
		response, err := (&http.Client{Timeout: 2 * limit}).Get(address)
		if err != nil {
			return "error: " + err.Error()
		}
		response.Body.Close()
		return response.Status
	}
	if network == "dns" {
		resolver := &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "udp", address)
		}}
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		defer cancel()
		if _, err := resolver.LookupHost(ctx, "kubernetes.default.svc.cluster.local."); err != nil {
			return "error: " + err.Error()
		}
		return "answered"
	}
	connection, err := net.DialTimeout("tcp", address, limit)
	if err != nil {
		return "error: " + err.Error()
	}
	connection.Close()
	return "open"
}
`);

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
  buildServer(engine, 'small-server', GO_SERVER, 'stdio');

/** An image of about 5 MB with a streamable-http server that has the tool `greet`. */
export const buildSmallHttpServer = (engine: Engine): Promise<ImageName> =>
  buildServer(engine, 'small-http-server', HTTP_SERVER, 'streamable-http');

/** An image with a streamable-http server whose tool opens the connections of its arguments. */
export const buildDialingServer = (engine: Engine): Promise<ImageName> =>
  buildServer(engine, 'dialing-server', DIALING_SERVER, 'streamable-http');

const buildServer = (engine: Engine, kind: string, source: string, transport: string): Promise<ImageName> =>
  buildOnce(engine, imageName(kind, source), async (context) => {
    writeFileSync(join(context, 'main.go'), source);
    await run('go', ['build', '-trimpath', '-ldflags=-s -w', '-o', 'server', 'main.go'], {
      cwd: context,
      env: { ...process.env, CGO_ENABLED: '0', GO111MODULE: 'off' },
    });
    return [
      'FROM scratch',
      'COPY server /server',
      `LABEL io.modelcontextprotocol.transport=${transport}`,
      'USER 10001:10001',
      'ENTRYPOINT ["/server"]',
    ];
  });

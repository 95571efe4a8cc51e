import { type CreateModels, ROUTED_MODELS } from './metered-world.ts';
import { SDK_MODELS } from './sdk-target.ts';

/** The models of Anthropic on Bedrock: ids, and the ARN of an inference profile. */
const MODEL_IDS = {
  'claude-opus-5-5': 'anthropic.claude-opus-5-5-v1:0',
  'claude-sonnet-5-5': 'anthropic.claude-sonnet-5-5-v1:0',
  'claude-haiku-5-5': 'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-haiku-5-5-v1:0',
};

/**
 * The models of Anthropic and one of OpenAI on Bedrock, and the other ones at their vendors. The
 * model `with-fallback` has the vendor after Bedrock, which refuses a signature for another region.
 */
export const createBedrockModels: CreateModels = ({ urls }, secretIds) => {
  const onBedrock = {
    endpoint: urls.bedrock,
    platform: { bedrock: { region: 'us-east-1' } },
    managedSecretId: secretIds['bedrock'] ?? '',
  };
  const serve = (provider: string, model: string, pricedAs = model, priority = 0) => ({
    provider,
    model,
    pricedAs,
    weight: 1,
    priority,
  });
  const sonnet = SDK_MODELS.anthropic;
  return {
    providers: [
      { name: 'bedrock', kind: 'anthropic', ...onBedrock },
      { name: 'bedrock-chat', kind: 'openai', ...onBedrock },
      { name: 'elsewhere', kind: 'anthropic', ...onBedrock, platform: { bedrock: { region: 'eu-west-1' } } },
      ...(['openai', 'anthropic', 'google'] as const).map((name) => ({
        name,
        kind: name,
        endpoint: urls[name],
        managedSecretId: secretIds[name] ?? '',
      })),
    ],
    routes: [
      ...Object.entries(MODEL_IDS).map(([model, id]) => ({
        match: { model },
        backends: [serve('bedrock', id, model)],
      })),
      {
        match: { model: 'with-fallback' },
        backends: [serve('elsewhere', MODEL_IDS[sonnet], sonnet), serve('anthropic', sonnet, sonnet, 1)],
      },
      {
        match: { model: 'gpt-oss-120b' },
        backends: [serve('bedrock-chat', 'openai.gpt-oss-120b-1:0', 'gpt-5.4-mini')],
      },
      ...(['openai', 'google'] as const).flatMap((vendor) =>
        ROUTED_MODELS[vendor].map((model) => ({ match: { model }, backends: [serve(vendor, model)] })),
      ),
    ],
  };
};

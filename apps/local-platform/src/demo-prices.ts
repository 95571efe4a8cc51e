import { DEMO_MODEL } from './demo-provider/echo.ts';

/** Invented rates in USD per million tokens, so that usage and budgets show the calls. */
const RATES = { inputUsdPerMillion: '1', outputUsdPerMillion: '2' };

/** The prices of the demo model in each format, for the setting `ADDITIONAL_PRICES`. */
export const DEMO_PRICES = ['anthropic', 'google', 'openai'].map((vendor) => ({
  provider: vendor,
  model: DEMO_MODEL,
  [vendor]: RATES,
}));

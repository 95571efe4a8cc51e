import '@mantine/core/styles.css';
import { createTheme, MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { readConfig } from './api.ts';
import { App, type Start } from './app.tsx';
import { forgetSession, SignIn } from './session.ts';

const theme = createTheme({ primaryColor: 'indigo', defaultRadius: 'md', fontFamily: 'system-ui, sans-serif' });

/**
 * The nonce under which this page may add styles; the server creates a new one for every response.
 */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

async function startSession(): Promise<Start> {
  let signIn: SignIn | undefined;
  try {
    signIn = new SignIn(await readConfig());
    return { signIn, session: await signIn.resume(new URL(window.location.href)), problem: undefined };
  } catch (error) {
    forgetSession();
    return { signIn, session: undefined, problem: error instanceof Error ? error.message : String(error) };
  }
}

const root = document.getElementById('root');
if (!root) throw new Error('the page has no #root');
const start = await startSession();
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      <QueryClientProvider client={new QueryClient()}>
        <App {...start} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);

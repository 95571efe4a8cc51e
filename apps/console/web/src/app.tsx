import { Alert, AppShell, Button, Container, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import gatehouse from './gatehouse.svg';
import { ProfileCard } from './profile.tsx';
import { Services } from './services.tsx';
import type { Session, SignIn } from './session.ts';

/** The state of the page at its start. */
export interface Start {
  signIn: SignIn | undefined;
  session: Session | undefined;
  problem: string | undefined;
}

/** The console: the profile of the user, and the state of every service. */
export function App({ signIn, session, problem: atStart }: Start) {
  const [problem, setProblem] = useState(atStart);
  const attempt = (work: Promise<void> | undefined): void => {
    work?.catch((error: unknown) => setProblem(`The identity provider does not answer: ${String(error)}`));
  };
  return (
    <AppShell header={{ height: 60 }} padding="md">
      <AppShell.Header>
        <Container size="lg" h="100%">
          <Group h="100%" justify="space-between">
            <Group gap="sm">
              <img src={gatehouse} alt="" width={26} height={26} />
              <Title order={1} size="h3">
                Gatehouse
              </Title>
            </Group>
            {session ? (
              <Group gap="sm">
                <Text size="sm" visibleFrom="xs">
                  Signed in as {session.name}
                </Text>
                <Button variant="default" onClick={() => attempt(signIn?.end(session))}>
                  Sign out
                </Button>
              </Group>
            ) : (
              <Button disabled={!signIn} onClick={() => attempt(signIn?.start())}>
                Sign in
              </Button>
            )}
          </Group>
        </Container>
      </AppShell.Header>
      <AppShell.Main>
        <Container size="lg" py="md">
          <Stack gap="xl">
            {problem && (
              <Alert color="red" title="Signing in did not work" withCloseButton onClose={() => setProblem(undefined)}>
                {problem}
              </Alert>
            )}
            {session ? <ProfileCard session={session} /> : <Introduction />}
            <Services />
          </Stack>
        </Container>
      </AppShell.Main>
    </AppShell>
  );
}

function Introduction() {
  return (
    <Stack gap="xs">
      <Title order={2} size="h3">
        One door for models and tools
      </Title>
      <Text c="dimmed" maw="40rem">
        Gatehouse decides who may use which AI models and tools, for how much money, and accounts for every call. Sign
        in to see who you are here.
      </Text>
    </Stack>
  );
}

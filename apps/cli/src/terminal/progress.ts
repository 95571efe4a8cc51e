import { terminal } from '../config/config.ts';
import { printableLines } from './output.ts';

/** Shows the progress of a long operation. */
export interface Progress {
  /** Shows the current step. */
  readonly step: (text: string) => void;
  /** Prints a permanent line. */
  readonly note: (text: string) => void;
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 80;

/** Progress that ends, and that leaves the terminal to a question for a while. */
interface ShownProgress extends Progress {
  readonly pause: () => void;
  readonly resume: () => void;
  readonly end: () => void;
}

/** Progress as plain lines, each step once. */
function plainProgress(stream: NodeJS.WriteStream): ShownProgress {
  let last = '';
  return {
    step: (text) => {
      // The text after a colon changes many times a second (megabytes), which would flood a log.
      const step = text.replace(/: .*/s, '');
      if (step !== last) stream.write(`${step}\n`);
      last = step;
    },
    note: (text) => stream.write(`${printableLines(text)}\n`),
    pause: () => undefined,
    resume: () => undefined,
    end: () => undefined,
  };
}

/** Progress as one line that is overwritten, and removed at the end. */
function liveProgress(stream: NodeJS.WriteStream, title: string): ShownProgress {
  const began = Date.now();
  let text = '';
  let frame = 0;
  let isPaused = false;
  const draw = () => {
    if (isPaused) return;
    const seconds = Math.floor((Date.now() - began) / 1000);
    const line = `${FRAMES[frame % FRAMES.length] ?? ''} ${title}${text === '' ? '' : `: ${text}`}${seconds > 0 ? ` (${seconds} s)` : ''}`;
    stream.write(`\r\u001b[2K${line.slice(0, Math.max(1, (stream.columns || 80) - 1))}`);
  };
  const timer = setInterval(() => {
    frame += 1;
    draw();
  }, FRAME_MS);
  timer.unref();
  draw();
  return {
    step: (step) => {
      text = step;
      draw();
    },
    note: (line) => {
      stream.write(`\r\u001b[2K${printableLines(line)}\n`);
      draw();
    },
    pause: () => {
      isPaused = true;
      stream.write('\r\u001b[2K');
    },
    resume: () => {
      isPaused = false;
      draw();
    },
    end: () => {
      clearInterval(timer);
      stream.write('\r\u001b[2K');
    },
  };
}

/** Whether the terminal cannot overwrite a line. */
const { dumb } = terminal();
/** The progress of the present operation. */
let shown: ShownProgress | undefined;

/**
 * Runs a long operation with progress on stderr: an updated line on a terminal, plain lines
 * elsewhere.
 * @param title the name of the operation, for the terminal
 */
export async function withProgress<T>(title: string, work: (progress: Progress) => Promise<T>): Promise<T> {
  const progress = process.stderr.isTTY && !dumb ? liveProgress(process.stderr, title) : plainProgress(process.stderr);
  shown = progress;
  try {
    return await work(progress);
  } finally {
    shown = undefined;
    progress.end();
  }
}

/** Asks a person while no progress overwrites the question. */
export async function withoutProgress<T>(ask: () => Promise<T>): Promise<T> {
  const paused = shown;
  paused?.pause();
  try {
    return await ask();
  } finally {
    paused?.resume();
  }
}

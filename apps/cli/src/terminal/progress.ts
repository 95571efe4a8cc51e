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

/** Progress as plain lines, each step once. */
function plainProgress(stream: NodeJS.WriteStream): Progress & { end: () => void } {
  let last = '';
  return {
    step: (text) => {
      // The text after a colon changes many times a second (megabytes), which would flood a log.
      const step = text.replace(/: .*/s, '');
      if (step !== last) stream.write(`${step}\n`);
      last = step;
    },
    note: (text) => stream.write(`${printableLines(text)}\n`),
    end: () => undefined,
  };
}

/** Progress as one line that is overwritten, and removed at the end. */
function liveProgress(stream: NodeJS.WriteStream, title: string): Progress & { end: () => void } {
  const began = Date.now();
  let text = '';
  let frame = 0;
  const draw = () => {
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
    end: () => {
      clearInterval(timer);
      stream.write('\r\u001b[2K');
    },
  };
}

/** Whether the terminal cannot overwrite a line. */
const { dumb } = terminal();

/**
 * Runs a long operation with progress on stderr: an updated line on a terminal, plain lines
 * elsewhere.
 * @param title the name of the operation, for the terminal
 */
export async function withProgress<T>(title: string, work: (progress: Progress) => Promise<T>): Promise<T> {
  const progress = process.stderr.isTTY && !dumb ? liveProgress(process.stderr, title) : plainProgress(process.stderr);
  try {
    return await work(progress);
  } finally {
    progress.end();
  }
}

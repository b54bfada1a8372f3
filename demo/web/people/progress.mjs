// Says how far the work is: one line that updates on a terminal, a line for each twentieth otherwise.

export class Progress {
  #done = 0;
  #started = performance.now();
  #step;

  constructor(total, out = process.stdout) {
    this.total = total;
    this.out = out;
    this.#step = Math.max(1, Math.round(total / 20));
  }

  advance() {
    this.#done++;
    if (this.out.isTTY) this.out.write(`\r\x1b[K${this.#line()}`);
    else if (this.#done % this.#step === 0 || this.#done === this.total) this.out.write(`${this.#line()}\n`);
  }

  end() {
    if (this.out.isTTY) this.out.write("\n");
  }

  get seconds() {
    return Math.round((performance.now() - this.#started) / 1000);
  }

  #line() {
    const share = Math.floor((this.#done / this.total) * 100);
    return `turns ${this.#done}/${this.total} (${share} %), ${this.seconds} s`;
  }
}

// The controller of an elevator: it goes on in one direction as long as somebody waits there, then turns round.

export const UP = 1;
export const DOWN = -1;

/** One car. A step is as long as the way from one floor to the next. */
export class Elevator {
  floor = 1;
  doorOpen = true;
  moving = false;
  direction = UP;
  /** The floors where somebody waits. @type {Set<number>} */
  waiting = new Set();

  constructor(floors = 3) {
    this.floors = floors;
  }

  /** Somebody wants the car at this floor, or wants to go there. @param {number} floor */
  call(floor) {
    if (!(floor >= 1 && floor <= this.floors)) throw new RangeError(`there is no floor ${floor}`);
    this.waiting.add(floor);
  }

  step() {
    if (this.moving) this.#travel();
    else if (this.doorOpen) this.#leaveIfNeeded();
    else if (this.waiting.has(this.floor)) this.#open();
    else if (this.waiting.size > 0) this.#start();
  }

  #travel() {
    this.floor += this.direction;
    if (this.waiting.has(this.floor)) this.#open();
    else if (!this.#somebodyAhead()) this.moving = false;
  }

  #leaveIfNeeded() {
    const elsewhere = [...this.waiting].some((floor) => floor !== this.floor);
    // A call for this floor that came just now stays when the car leaves, so that it comes back.
    if (elsewhere) this.#start();
    else this.waiting.clear(); // Whoever called is in the car already.
  }

  #open() {
    this.waiting.delete(this.floor);
    this.doorOpen = true;
    this.moving = false;
  }

  #start() {
    if (!this.#somebodyAhead()) this.direction = -this.direction;
    this.doorOpen = false;
    this.moving = true;
  }

  #somebodyAhead() {
    return [...this.waiting].some((floor) => (floor - this.floor) * this.direction > 0);
  }
}

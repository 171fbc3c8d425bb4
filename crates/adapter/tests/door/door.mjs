// A door that does everything that the protocol knows, for the tests.

import { Refused, System, serve } from "../../../../sdk/javascript/interplay.mjs";

class Door extends System {
  static inputs = ["configured", "press(floor)", "paint(colour)", "arrive", "leave(visitor)"];
  static outputs = ["opened", "shown(floor, up)", "greeted(visitor)"];
  visitors = [];

  constructor() {
    super();
    this.emit("opened");
  }

  configured() {
    return Door.settings.constants.height;
  }

  async press({ floor }) {
    if (floor === 9) throw new Refused("there is no floor 9");
    if (floor === 8) throw new RangeError("stuck");
    console.log("pressed"); // Goes to standard error.
    this.emit("shown", { floor, up: true });
    await new Promise((done) => setTimeout(done, 5));
  }

  paint({ colour }) {
    this.emit("shown", { floor: colour.mixed[0], up: false });
  }

  arrive() {
    this.visitors.push(`visitor ${this.visitors.length}`);
    return this.visitors.at(-1);
  }

  leave({ visitor }) {
    this.visitors = this.visitors.filter((each) => each !== visitor);
    setTimeout(() => this.emit("greeted", { visitor }), 10);
  }

  enabled() {
    return ["press", ...this.visitors.map((visitor) => ["leave", { visitor }])];
  }

  snapshot() {
    return `${this.visitors.length} visitors`;
  }
}

serve(Door);

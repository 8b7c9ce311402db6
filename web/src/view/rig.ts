/** The camera: a turntable about a target, in perspective or orthographic at the same scale. */

import { Box3, MathUtils, OrthographicCamera, PerspectiveCamera, Quaternion, Ray, Vector2, Vector3, Matrix4 } from "three";

const FOV = MathUtils.degToRad(32);
const STEEPEST = Math.PI / 2 - 1e-3;

/** What a share link or a reload keeps. */
export interface RigState { target: number[]; up: number[]; azimuth: number; elevation: number; distance: number; ortho: boolean }

export class Rig {
  readonly target = new Vector3();
  readonly up = new Vector3(0, 0, 1);
  azimuth = -0.9;
  elevation = 0.4;
  distance = 5;
  ortho = false;
  /** Called after every change. */
  changed: () => void = () => {};

  private readonly perspective = new PerspectiveCamera(MathUtils.radToDeg(FOV), 1, 0.01, 1000);
  private readonly orthographic = new OrthographicCamera(-1, 1, 1, -1, 0.01, 1000);
  private readonly side = new Vector3(1, 0, 0);
  private readonly front = new Vector3(0, -1, 0);
  private aspect = 1;
  private depth = 10;

  get camera(): PerspectiveCamera | OrthographicCamera { return this.ortho ? this.orthographic : this.perspective; }

  /** Height of the view at the target [m]. */
  get height(): number { return 2 * this.distance * Math.tan(FOV / 2); }

  setUp(up: Vector3): void {
    this.up.copy(up).normalize();
    // The axes that azimuth counts from are the world's, as near as they come.
    const first = Math.abs(this.up.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
    this.side.copy(first).addScaledVector(this.up, -first.dot(this.up)).normalize();
    this.front.crossVectors(this.side, this.up);
  }

  /** Unit vector from the target to the camera. */
  direction(out = new Vector3()): Vector3 {
    const [ca, sa, ce, se] = [Math.cos(this.azimuth), Math.sin(this.azimuth), Math.cos(this.elevation), Math.sin(this.elevation)];
    return out.copy(this.side).multiplyScalar(ca * ce).addScaledVector(this.front, -sa * ce).addScaledVector(this.up, se);
  }

  /** Looks from this direction. */
  lookFrom(direction: Vector3): void {
    const d = direction.clone().normalize();
    this.elevation = MathUtils.clamp(Math.asin(MathUtils.clamp(d.dot(this.up), -1, 1)), -STEEPEST, STEEPEST);
    const flat = d.clone().addScaledVector(this.up, -d.dot(this.up));
    if (flat.lengthSq() > 1e-8) this.azimuth = Math.atan2(-flat.dot(this.front), flat.dot(this.side));
    this.update();
  }

  /** Fits a box into the view; `margin` is left free around it. */
  fit(box: Box3, margin = 1.18): void {
    if (box.isEmpty()) return;
    box.getCenter(this.target);
    const turn = this.orientation().invert();
    // The nearest distance from which each corner is inside the view.
    const slope = Math.tan(FOV / 2) / margin;
    let distance = 1e-6;
    for (let i = 0; i < 8; i++) {
      const corner = new Vector3(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z);
      corner.sub(this.target).applyQuaternion(turn);
      const half = Math.max(Math.abs(corner.y), Math.abs(corner.x) / this.aspect);
      distance = Math.max(distance, half / slope + (this.ortho ? 0 : corner.z));
    }
    this.distance = distance;
    this.depth = box.getSize(new Vector3()).length();
    this.update();
  }

  /** Range of depth that must be visible around the target [m]. */
  setDepth(depth: number): void { this.depth = depth; this.update(); }

  resize(width: number, height: number): void {
    this.aspect = Math.max(width, 1) / Math.max(height, 1);
    this.update();
  }

  orbit(dx: number, dy: number): void {
    this.azimuth -= dx;
    this.elevation = MathUtils.clamp(this.elevation + dy, -STEEPEST, STEEPEST);
    this.update();
  }

  /** Moves by parts of the view's height. */
  pan(dx: number, dy: number): void {
    const turn = this.orientation();
    const step = new Vector3(-dx * this.height, dy * this.height, 0).applyQuaternion(turn);
    this.target.add(step);
    this.update();
  }

  /** Zooms by a factor; what lies under `at` (−1 … 1 in the view) stays there. */
  zoom(factor: number, at: Vector2): void {
    const limited = MathUtils.clamp(this.distance * factor, 1e-4, 1e5) / this.distance;
    const under = this.onTargetPlane(at);
    this.target.lerpVectors(under, this.target, limited);
    this.distance *= limited;
    this.update();
  }

  setOrtho(on: boolean): void { this.ortho = on; this.update(); }

  ray(at: Vector2): Ray {
    const camera = this.camera;
    const ray = new Ray();
    if (this.ortho) {
      ray.origin.set(at.x, at.y, -1).unproject(camera);
      ray.direction.set(0, 0, -1).transformDirection(camera.matrixWorld);
    } else {
      ray.origin.setFromMatrixPosition(camera.matrixWorld);
      ray.direction.set(at.x, at.y, 0.5).unproject(camera).sub(ray.origin).normalize();
    }
    return ray;
  }

  /** The point under `at` in the plane through `point` (the target) that faces the camera. */
  onTargetPlane(at: Vector2, point: Vector3 = this.target): Vector3 {
    const ray = this.ray(at);
    const normal = this.direction();
    const along = normal.dot(ray.direction);
    const reach = Math.abs(along) < 1e-9 ? 0 : point.clone().sub(ray.origin).dot(normal) / along;
    return ray.at(reach, new Vector3());
  }

  /** Metres per pixel at a point. */
  pixel(point: Vector3, viewHeight: number): number {
    if (this.ortho) return this.height / viewHeight;
    const depth = this.perspective.position.clone().sub(point).dot(this.direction());
    return (2 * Math.max(depth, 1e-6) * Math.tan(FOV / 2)) / viewHeight;
  }

  state(): RigState {
    return { target: this.target.toArray(), up: this.up.toArray(), azimuth: this.azimuth, elevation: this.elevation, distance: this.distance, ortho: this.ortho };
  }

  restore(state: RigState): void {
    this.setUp(new Vector3().fromArray(state.up));
    this.target.fromArray(state.target);
    this.azimuth = state.azimuth;
    this.elevation = state.elevation;
    this.distance = state.distance;
    this.ortho = state.ortho;
    this.update();
  }

  orientation(): Quaternion {
    const matrix = new Matrix4().lookAt(this.direction(), new Vector3(), this.up);
    return new Quaternion().setFromRotationMatrix(matrix);
  }

  update(): void {
    const away = this.direction();
    const turn = this.orientation();
    const depth = Math.max(this.depth, this.height);
    const p = this.perspective;
    p.position.copy(this.target).addScaledVector(away, this.distance);
    p.quaternion.copy(turn);
    p.aspect = this.aspect;
    p.near = Math.max(this.distance - 3 * depth, this.distance * 0.01);
    p.far = this.distance + 12 * depth;
    const o = this.orthographic;
    const back = 6 * depth + this.distance;
    o.position.copy(this.target).addScaledVector(away, back);
    o.quaternion.copy(turn);
    o.top = this.height / 2;
    o.bottom = -o.top;
    o.right = o.top * this.aspect;
    o.left = -o.right;
    o.near = 0;
    o.far = 2 * back;
    for (const camera of [p, o]) {
      camera.updateProjectionMatrix();
      camera.updateMatrixWorld();
    }
    this.changed();
  }
}

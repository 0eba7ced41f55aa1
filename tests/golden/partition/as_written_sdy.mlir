module @as_written_sdy {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(
      %a: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
      %b: tensor<32x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>})
      -> (tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<32x64xf32>) {
    %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<64x32xf32>, tensor<32x64xf32>) -> tensor<64x64xf32>
    %2 = stablehlo.concatenate %1, %1, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<128x64xf32>
    %3 = stablehlo.slice %2 [0:64, 0:64] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<128x64xf32>) -> tensor<64x64xf32>
    %0 = stablehlo.negate %b : tensor<32x64xf32>
    return %3, %0 : tensor<64x64xf32>, tensor<32x64xf32>
  }
}
